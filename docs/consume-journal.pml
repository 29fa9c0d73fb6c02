/* What consume.pml and consume-tail.pml have in common: crashes, flushes and the journal; see consume.md.
 * Who includes it has defined BLOCKS, and CELLS, the lines that a journal has room for.
 */

#ifndef CRASHES
#define CRASHES 2
#endif

/* What going on does first with the journal that it has read:
 * 0 nothing; 1 flushes it; 2 writes it again and flushes it. */
#ifndef GOON
#define GOON 2
#endif

/* Lines of the longest append, behind the header. */
#ifndef LONGEST
#define LONGEST 2
#endif
/* With STRICT, a whole line behind one that is not is damage, also within the last append. */

/* What a block holds. */
#define NONE 0
#define RIGHT 1
#define WRONG 2 /* of a bad part, as its source had it */
#define ZERO 3  /* what is read from a hole, or what a lost write leaves */

/* Lines of the journal. */
#define HEADER 1
#define ROUND 2
/* 3: see BACK in consume.pml */
#define PUBLISH 4
#define DONE(b, value) (16 + 4 * (b) + (value))
#define IS_DONE(line) ((line) >= 16 && (line) != TORN)
#define TORN 255

#define MASK(b) (1 << (b))

/* The journal, on device O. */
byte jc[CELLS], jd[CELLS]; /* its lines */
int jy;                    /* those that a flush would write, as bits */
byte namec, named;         /* 0 no journal, 1 there, 2 removed */
#ifdef COMPACT
bit compacted;
bit replacing; /* the journal's new file has its name, and the directory was not flushed */
byte oldLines; /* of the file that had it before */
#endif

/* Outside. */
byte crashes;
#ifdef FLUSH_FAILS
bit failed;
#endif
#ifdef UNHONEST
#define HONEST 0
/* Else there would be too many states. */
#define IN_ORDER
#else
#define HONEST 1
#endif

/* What the run knows; read anew by each. */
byte entered[BLOCKS];
bit publishing;
byte lines; /* that count */
byte i, v;  /* v: also whether something must be refused */
#ifdef FLUSH_FAILS
bit hasFailed; /* the flush at hand */
#endif

/* Here a crash may come. */
#define POINT \
  if \
  :: true \
  :: crashes < CRASHES -> goto crash \
  fi

/* Refusing is an error where devices keep what they were told to flush: nothing was wrong. */
#define REFUSE goto refused

/* A flush that fails ends the run. It leaves what it should have written in the cache, and never writes it. */
#ifdef FLUSH_FAILS
#define MAY_FAIL :: !failed -> failed = 1; hasFailed = 1
#define FAILED if :: hasFailed -> hasFailed = 0; goto AFTER_FAILURE :: else fi
#else
#define MAY_FAIL
#define FAILED skip
#endif
#ifndef AFTER_FAILURE
#define AFTER_FAILURE start
#endif

/* A device that says that it has what it was told to flush. */
#ifdef UNHONEST
#define FLUSHES false
#else
#define FLUSHES true
#endif

inline flushJournal() {
  atomic {
    if
    :: FLUSHES -> for (i : 0 .. CELLS - 1) { if :: jy & MASK(i) -> jd[i] = jc[i] :: else fi }
    :: !FLUSHES
    MAY_FAIL
    fi;
    jy = 0; i = 0
  }
}

/* Of the directory, what is the journal's. */
inline flushJournalName() {
  named = namec;
#ifdef COMPACT
  replacing = 0; oldLines = 0
#endif
}

/* What is behind the lines that count is cut off, as a torn line is. */
inline append(a) {
  assert(lines < CELLS);
  for (i : lines .. CELLS - 1) { jc[i] = 0; if :: jd[i] != 0 -> jy = jy | MASK(i) :: else fi }
  jc[lines] = a; jy = jy | MASK(lines); lines++; i = 0
}

/* What counts is written again; what is behind it is gone. */
inline rewrite() {
  for (i : lines .. CELLS - 1) { jc[i] = 0 }
  jy = MASK(CELLS) - 1; i = 0
}

/* The journal is written to a new file, which takes its name. */
inline compact() {
#ifdef COMPACT
  atomic {
    if
    :: !compacted ->
      compacted = 1; replacing = 1; oldLines = lines;
#ifdef COMPACT_UNFLUSHED
      for (i : 0 .. CELLS - 1) { jd[i] = 0 }
      jy = MASK(lines) - 1; i = 0
#endif
    :: true
    fi
  }
  POINT
#else
  skip
#endif
}

/* What is left of the journal when O has lost its power. */
inline loseJournal() {
  if
  :: true -> namec = named
  :: namec > named -> named = namec
  :: namec == 2 && named == 0 -> namec = 1; named = 1
  fi;
#ifdef COMPACT
  if
  :: replacing ->
    if
    :: true ->
      /* The old file has its name again, and all of it was flushed. */
      for (i : 0 .. CELLS - 1) {
        if :: i < oldLines -> jd[i] = jc[i] :: else -> jc[i] = 0; jd[i] = 0 fi
      }
    :: true
    fi
  :: else
  fi;
  replacing = 0; oldLines = 0;
#endif
#ifdef IN_ORDER
  /* It loses the last lines only. */
  i = 0;
  do
  :: i < CELLS -> jd[i] = jc[i]; i++
  :: true -> break
  od;
  v = i;
  for (i : v .. CELLS - 1) { jc[i] = jd[i] }
  v = 0;
#endif
  for (i : 0 .. CELLS - 1) {
    if
    :: namec != 1 -> jc[i] = 0; jd[i] = 0
    :: namec == 1 && jd[i] != jc[i] ->
      if
      :: true -> jc[i] = jd[i]
      :: true -> jd[i] = jc[i]
      :: jc[i] != 0 -> jc[i] = TORN; jd[i] = TORN
      fi
    :: else
    fi
  }
  jy = 0
}

/* The lines that count; an append counts when its last line is whole. */
inline readJournal() {
  atomic {
    for (i : 0 .. 3) { entered[i] = 0 }
    publishing = 0; lines = 0; i = 0; v = 0;
#ifdef BACK
    back = 0;
#endif
    do
    :: i < CELLS && jc[i] != 0 && jc[i] != TORN ->
      if
      :: jc[i] == HEADER -> lines = i + 1
      :: jc[i] == ROUND ->
        v = i;
        do
        :: v > 0 && IS_DONE(jc[v - 1]) -> v--; entered[(jc[v] - 16) / 4] = (jc[v] - 16) % 4
        :: else -> break
        od;
        lines = i + 1
#ifdef BACK
      :: jc[i] == BACK ->
        entered[0] = 0; entered[1] = 0; entered[2] = 0; entered[3] = 0;
        back = 1; lines = i + 1
#endif
      :: jc[i] == PUBLISH -> publishing = 1; lines = i + 1
      :: else
      fi;
      i++
    :: else -> break
    od;
    v = 0;
#ifdef STRICT
    i++;
#else
    /* Only the last append may be torn. */
    i = lines + LONGEST;
#endif
    do
    :: i < CELLS -> if :: jc[i] != 0 && jc[i] != TORN -> v = 1 :: else fi; i++
    :: else -> break
    od;
    i = 0
  }
}
