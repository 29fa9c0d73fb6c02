import CleaveCLI

Program.main()
