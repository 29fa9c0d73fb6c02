import CleaveCLI
