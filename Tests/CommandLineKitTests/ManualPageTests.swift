import CommandLineKit
import Testing

@Suite struct ManualPageTests {
  @Test func thePageHasTheWholeTable() {
    let manual = ManualPage(
      sample.page,
      of: "cleave",
      date: "May 1, 2026",
      version: "9.9",
      sections: [
        .init(
          "FILES",
          lead: "They are:",
          [.init(".Nm", "A file \u{2026}. Is it? 'Yes'.")],
          text: "End."
        )
      ],
      others: ["cleave", "cleave-info"]
    )
    #expect(
      manual.text == #"""
        .\" Written by 'cleave help --manual'.
        .Dd May 1, 2026
        .Dt CLEAVE-SAMPLE 1
        .Os cleave 9.9
        .Sh NAME
        .Nm cleave-sample
        .Nd cut a file into parts
        .Sh SYNOPSIS
        .Nm cleave
        \fBsample\fR [\fIOPTION\fR]... \fIFILE\fR [\fIPREFIX\fR]
        .Nm cleave
        \fBsample\fR \fB\-\-check\fR \fIFILE\fR
        .Sh DESCRIPTION
        cleave sample: cut a file into parts.
        .Pp
        A SIZE is a number with a unit, such as 350M or 4GiB\-1, and this paragraph
        goes on long enough to be wrapped.
        .Pp
        See
        https://example.org/a/very/long/address/that/no/narrow/terminal/has/room/for
        for more.
        .Sh OPTIONS
        .Ss Output
        .Bl -tag -width Ds
        .It Fl b , Fl \-bytes Ns = Ns Ar SIZE
        Make parts of SIZE bytes.
        .It Fl f , Fl \-force
        Replace files that exist.
        .It Fl n , Fl \-name Ns = Ns Ar TEXT
        Call the parts TEXT.
        .It Fl p , Fl \-path Ns = Ns Ar FILE
        Write to FILE.
        .El
        .Ss Engine
        .Bl -tag -width Ds
        .It Fl e , Fl \-engine Ns = Ns Ar ENGINE
        Copy with this engine.
        One of serial, multiqueue, zerocopy, auto.
        .It Fl \-high\-water Ns = Ns Ar SIZE
        Hand data over in pieces of at most SIZE bytes, which bounds the memory in
        use.
        .It Fl j , Fl \-jobs Ns = Ns Ar N
        Copy N ranges at a time.
        .It Fl \-sums Ns = Ns Ar KIND
        Write a manifest of this kind.
        One of none, crc, sfv.
        .El
        .Ss General
        .Bl -tag -width Ds
        .It Fl c , Fl \-color Ns Oo = Ns Ar WHEN Oc
        Colour the output.
        One of always, never, auto.
        .It Fl q , Fl \-quiet
        Print errors only.
        .It Fl \-verify
        Read the parts again.
        .It Fl \-verify\-never
        Trust the disk.
        .It Fl h , Fl \-help
        Print this help.
        .El
        .Sh FILES
        They are:
        .Bl -tag -width Ds
        .It "\&.Nm"
        A file \[u2026].
        Is it?
        \&'Yes'.
        .El
        .Pp
        End.
        .Sh EXAMPLES
        Cuts film.mkv into parts of 350 MiB.
        .Bd -literal -offset indent
        cleave sample \-b 350M film.mkv
        .Ed
        .Pp
        Cuts an image so that FAT can hold the parts.
        .Bd -literal -offset indent
        cleave sample \-\-bytes=4GiB\-1 \-\-engine=zerocopy \-\-high\-water=1M image.iso /mnt/stick/image
        .Ed
        .Sh SEE ALSO
        .Xr cleave 1 ,
        .Xr cleave-info 1

        """#
    )
  }
}
