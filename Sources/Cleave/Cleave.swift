// `import Cleave` is enough: paths, and what the system said of a file or a call, come with it.
@_exported public import Posix
