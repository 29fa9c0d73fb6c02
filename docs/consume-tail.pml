/* How `split --consume` frees its source from its end, as a model for spin; see consume.md.
 *
 * Two devices: O has the directory of the parts, their temporaries and the journal; P has the source.
 * As in consume.pml, each thing has what programs see (named ...c) and what is on the device (...d).
 *
 * The source has blocks 0 to 3. Block 3 becomes part 2, blocks 1 and 2 become part 1, and what is left of
 * the source, block 0, becomes part 0. They are copied in the order 3, 1, 2. A round is one block, or
 * with WIDE as many as it likes.
 */

#define BLOCKS 4
#define CELLS 18
#define LONGEST 4
#ifdef CLEANS
#define AFTER_FAILURE clean
#endif

#include "consume-journal.pml"

#define NEW 2 /* what another program wrote to a block of the source */

/* Where the source is. Each step leads to a higher one. */
#define OWN 0  /* under its own name */
#define REST 1 /* under .cleave-rest */
#define LEFT 2 /* under the final name of part 0 */

#define WHOLE 4 /* blocks of the source */

/* Device O. Of the arrays, what would be for part 0 is not used. */
byte tc[BLOCKS], td[BLOCKS]; /* the blocks of the temporaries */
byte ty;                     /* those that a flush would write, as bits */
byte outc[3], outd[3];       /* 0 no file, 1 the temporary's name, 2 the final name */

/* Device P. */
byte sc, sd;         /* where the source is */
byte zc = 4, zd = 4; /* its size, in blocks */
bit hc, hd;          /* whether block 1 of it is a hole */

/* Outside. */
bit told;     /* exit 0 was seen */
byte written; /* 1 + the block that another program wrote to */
bit stamped;  /* that was since the job was begun, so that the source's time tells */

/* What the run knows; read anew by each. */
bit settled; /* the source's other name is on the device */
bit opened;  /* something was there to go on with */
byte round;  /* blocks copied in the round at hand, as bits */
byte k;
#ifdef FREE_FIRST
bit isFreed;
#endif

#define PART(b) (((b) + 1) / 2)
#define OF(p) ((p) == 1 -> 6 : 8)
#define IS_ENTERED(b) (entered[b] != 0)
#define ANY_ENTERED (entered[0] != 0 || entered[1] != 0 || entered[2] != 0 || entered[3] != 0)
#define IS_HELD(b) ((b) < zc && !((b) == 1 && hc))
#define WANTED(b) (written == (b) + 1 -> NEW : RIGHT)
#define VALUE(b) (IS_HELD(b) -> WANTED(b) : ZERO)
#define SETTLED(b) (tc[b] == VALUE(b) && td[b] == tc[b] && outd[PART(b)] != 0)
#ifdef NO_PUNCH
#define PUNCHES false
#else
#define PUNCHES (entered[3] != 0 && entered[1] != 0 && entered[2] == 0)
#endif
/* The size that the source is to have by now. */
#define SHORT (entered[3] == 0 -> WHOLE : (entered[1] != 0 && entered[2] != 0 -> 1 : 3))
#define SEEN_RIGHT (sc == LEFT && zc == 1 && outc[1] == 2 && outc[2] == 2 && VALUE(0) == WANTED(0) && \
                    tc[1] == WANTED(1) && tc[2] == WANTED(2) && tc[3] == WANTED(3))
#define KEPT_RIGHT (sd == LEFT && zd == 1 && outd[1] == 2 && outd[2] == 2 && \
                    td[1] == tc[1] && td[2] == tc[2] && td[3] == tc[3])
/* The sums that are told are those of what is there. */
#define SUMS_RIGHT (entered[0] == VALUE(0) && entered[1] == tc[1] && entered[2] == tc[2] && \
                    entered[3] == tc[3])
/* Every byte is in the source, or in a part and entered. */
#define IS_SAFE(b) (IS_HELD(b) || outc[PART(b)] != 0 && entered[b] == WANTED(b) && tc[b] == WANTED(b))

inline flushTemporary(p) {
  atomic {
    if
    :: FLUSHES ->
      for (i : 1 .. 3) { if :: ty & OF(p) & MASK(i) -> td[i] = tc[i] :: else fi }
    :: !FLUSHES
    MAY_FAIL
    fi;
    ty = ty & ~OF(p); i = 0
  }
}

/* The directory of the parts. */
inline flushDirectory() {
  atomic {
    for (i : 1 .. 2) { outd[i] = outc[i] }
    if :: sc == LEFT -> sd = sc :: else fi;
    i = 0;
    flushJournalName()
  }
}

/* The source's data and size. */
inline flushSource() {
  atomic {
    if :: FLUSHES -> zd = zc; hd = hc :: !FLUSHES fi
#ifdef ORDERED
    ;
    if :: sd == OWN -> sd = sc :: else fi
#endif
  }
}

/* The temporary of a part is not there. What the device has of it does not matter: it is not entered. */
inline forget(p) {
  outc[p] = 0;
  for (i : 1 .. 3) { if :: OF(p) & MASK(i) -> tc[i] = NONE; ty = ty & ~MASK(i) :: else fi }
  i = 0
}

/* What was written last may get to the device before it is removed. */
inline removeJournal() {
  atomic {
    for (i : 0 .. CELLS - 1) {
      if :: jd[i] != jc[i] -> if :: true -> jd[i] = jc[i] :: true fi :: else fi;
      jc[i] = 0
    }
    jy = 0; lines = 0; namec = 2; i = 0
  }
}

inline compactAndName() {
#ifdef COMPACT
  compact();
#ifndef COMPACT_NAME_UNFLUSHED
  flushDirectory();
  POINT
#endif
#else
  skip
#endif
}

inline loseO() {
  for (i : 1 .. 2) {
    if
    :: true -> outc[i] = outd[i]
    :: outc[i] != outd[i] -> outd[i] = outc[i]
    :: outc[i] == 2 && outd[i] == 0 -> outc[i] = 1; outd[i] = 1
    fi
  }
  for (i : 1 .. 3) {
    if
    :: td[i] != tc[i] ->
      if
      :: true -> tc[i] = td[i]
      :: true -> td[i] = tc[i]
#ifndef UNHONEST
      :: true -> tc[i] = ZERO; td[i] = ZERO
#endif
      fi
    :: else
    fi;
    if :: outc[PART(i)] == 0 -> tc[i] = NONE; td[i] = NONE :: else fi
  }
  if
  :: namec == 2 && named != 2 ->
    if
    :: true -> named = 2
    :: true -> namec = 1; named = 1; for (i : 0 .. CELLS - 1) { jc[i] = jd[i] }
    fi
  :: else
  fi;
  loseJournal();
  ty = 0; i = 0
}

/* Its name, its size and its hole get to the device in any order. */
inline loseP() {
  v = sc;
  do
  :: v > sd -> v--
  :: true -> break
  od;
  sc = v; sd = v;
#ifdef ORDERED
#define MAY_KEEP (sc != OWN)
#else
#define MAY_KEEP true
#endif
  if
  :: zc != zd ->
    if
    :: true -> zc = zd
    :: MAY_KEEP -> zd = zc
    :: MAY_KEEP && zd == WHOLE && zc == 1 -> zd = 3; zc = 3
    fi
  :: else
  fi;
  if
  :: hc != hd ->
    if
    :: true -> hc = hd
    :: MAY_KEEP -> hd = hc
    fi
  :: else
  fi;
  if :: zc == 1 -> hc = 0; hd = 0 :: else fi;
  v = 0
}

/* The source must be the one that was begun with, and have what is still needed of it. */
inline examine() {
  atomic {
    v = 0;
#ifndef NO_OWN_CHECK
    if :: sc == OWN && (zc != WHOLE || hc || stamped) -> v = 1 :: else fi;
#endif
    for (i : 0 .. 3) {
      if
      :: entered[i] == 0 && sc == LEFT -> v = 1
#ifndef NO_HOLE_CHECK
      :: entered[i] == 0 && sc != LEFT && !IS_HELD(i) -> v = 1
#endif
      :: else
      fi
    }
    i = 0
  }
}

/* What was entered must be in the parts. */
inline verify() {
  atomic {
    v = 0;
    for (i : 1 .. 3) {
      if
      :: entered[i] != 0 && (outc[PART(i)] == 0 || outc[PART(i)] == 2 && !publishing) -> v = 1
#ifndef NO_COMPARE
      :: entered[i] != 0 && entered[i] != tc[i] -> v = 1
#endif
      :: else
      fi
    }
    i = 0;
    if
    :: sc == LEFT && !publishing -> v = 1
#ifndef NO_COMPARE_LEFT
    :: entered[0] != 0 && entered[0] != VALUE(0) -> v = 1
#endif
#ifndef NO_FINAL_SIZE
    :: sc == LEFT && zc != 1 -> v = 1
#endif
    :: else
    fi
  }
}

active proctype job() {
start:
  readJournal();
  if :: v -> v = 0; REFUSE :: else fi;
  assert(!HONEST || IS_SAFE(0) && IS_SAFE(1) && IS_SAFE(2) && IS_SAFE(3));
  if :: !ANY_ENTERED && !publishing -> goto begin :: else fi;

  /* Going on. */
  opened = 1;
  examine();
#ifdef GOES_BACK
  if :: v -> v = 0; REFUSE :: else fi;
  /* Nothing was freed of a source that is whole, so what was entered need not count. */
  verify();
  if :: v && sc == OWN -> v = 0; opened = 0; goto begin :: else fi;
#endif
  if :: v -> v = 0; REFUSE :: else fi;
#ifndef GOES_BACK
  verify();
  if :: v -> v = 0; REFUSE :: else fi;
#endif
#if GOON == 2
  atomic { rewrite() }
#endif
#if GOON > 0
  flushJournal();
  FAILED;
  POINT;
#ifdef COMPACT
  /* It was written to a new file, too. */
  atomic { replacing = 1; oldLines = lines }
  POINT;
#endif
#ifndef GOON_NAME_UNFLUSHED
  flushDirectory();
  POINT;
#endif
#endif
  atomic {
    if :: outc[1] == 1 && entered[1] == 0 -> forget(1) :: else fi;
    if :: outc[2] == 1 && entered[3] == 0 -> forget(2) :: else fi
  }
#ifndef NO_SAME
  /* What is still in the source of what is about to be freed is what was copied. */
  atomic {
    for (i : 1 .. 3) {
      if :: sc != LEFT && entered[i] != 0 && IS_HELD(i) && VALUE(i) != tc[i] -> v = 1 :: else fi
    }
    i = 0
  }
  if :: v -> v = 0; REFUSE :: else fi;
#endif
#ifdef NO_FREEING_AGAIN
  goto next;
#else
  goto free;
#endif

begin:
  if
  :: sc != OWN || zc != WHOLE || hc || outc[1] == 2 || outc[2] == 2 -> REFUSE
  :: else
  fi;
  atomic {
    /* What an earlier run has left came to nothing. */
    forget(1); forget(2);
    outd[1] = 0; outd[2] = 0; jy = 0; lines = 0;
    for (i : 0 .. 3) { td[i] = NONE; entered[i] = 0 }
    stamped = 0;
    if
    :: namec == 2 -> named = 0; for (i : 0 .. CELLS - 1) { jc[i] = 0; jd[i] = 0 }
    :: else
    fi;
    namec = 1;
    append(HEADER)
  }
  POINT;
#ifndef HEADER_UNFLUSHED
  flushJournal();
  FAILED;
  POINT;
#endif
  goto next;

free:
  if
  :: sc != LEFT && (SHORT < zc || PUNCHES) ->
#ifndef NO_REST
    if :: sc == OWN -> sc = REST; POINT :: else fi;
#ifndef REST_UNFLUSHED
    if :: !settled -> sd = sc; settled = 1; POINT :: else fi;
#endif
#endif
    if
    :: SHORT < zc ->
      atomic {
        for (i : 1 .. 3) { assert(!HONEST || i < SHORT || !IS_HELD(i) || SETTLED(i)) }
        zc = SHORT; i = 0
      }
      POINT
    :: else
    fi;
    if
    :: PUNCHES && !hc -> atomic { assert(!HONEST || SETTLED(1)); hc = 1 } POINT
    :: else
    fi
  :: else
  fi;
#ifdef FREE_FIRST
  if :: isFreed -> isFreed = 0; goto enter :: else fi;
#endif

next:
  round = 0;
copy:
  atomic {
    if
    :: !(entered[3] != 0 || round & 8) -> k = 3
    :: else ->
      if
      :: !(entered[1] != 0 || round & 2) -> k = 1
      :: else -> if :: !(entered[2] != 0 || round & 4) -> k = 2 :: else -> k = 0 fi
      fi
    fi
  }
  if :: k == 0 && round == 0 -> goto left :: k == 0 && round != 0 -> goto flush :: else fi;
  /* The source must have what is read of it. */
  if :: k >= zc -> REFUSE :: else fi;
  atomic {
    outc[PART(k)] = 1;
    tc[k] = VALUE(k); ty = ty | MASK(k); round = round | MASK(k); k = 0
  }
  POINT;
#ifdef WIDE
  if
  :: true -> goto copy
  :: true
  fi;
#endif
flush:
#ifndef TEMPORARY_UNFLUSHED
  if :: round & 8 -> flushTemporary(2); FAILED; POINT :: else fi;
  if :: round & 6 -> flushTemporary(1); FAILED; POINT :: else fi;
#endif
#ifndef DIRECTORY_UNFLUSHED
#ifdef DIRECTORY_ONCE
  if :: !ANY_ENTERED -> flushDirectory(); POINT :: else fi;
#else
  flushDirectory();
  POINT;
#endif
#endif
#ifdef FREE_FIRST
  atomic {
    isFreed = 1;
    for (i : 1 .. 3) { if :: round & MASK(i) -> entered[i] = tc[i] :: else fi }
    i = 0
  }
  goto free;
enter:
#endif
  atomic {
    if :: round & 8 -> append(DONE(3, tc[3])) :: else fi;
    if :: round & 2 -> append(DONE(1, tc[1])) :: else fi;
    if :: round & 4 -> append(DONE(2, tc[2])) :: else fi;
    append(ROUND)
  }
  POINT;
#ifndef ROUND_UNFLUSHED
  flushJournal();
  FAILED;
  POINT;
#endif
  atomic {
    for (k : 1 .. 3) { if :: round & MASK(k) -> entered[k] = tc[k] :: else fi }
    k = 0; round = 0
  }
  compactAndName();
  goto free;

left:
  if :: sc == LEFT -> goto publish :: else fi;
#ifndef NO_SIZE
  if :: zc != 1 -> REFUSE :: else fi;
#endif
#ifndef LEFT_UNFLUSHED
  flushSource();
  POINT;
#endif
#ifndef LEFT_NOT_ENTERED
  if
  :: entered[0] == 0 ->
#ifndef LEFT_NAME_UNFLUSHED
    flushDirectory();
    POINT;
#endif
    atomic { v = VALUE(0); append(DONE(0, v)); append(ROUND); v = 0 }
    POINT;
#ifndef LEFT_ENTRY_UNFLUSHED
    flushJournal();
    FAILED;
    POINT;
#endif
    entered[0] = VALUE(0);
    compactAndName()
  :: else
  fi;
#else
  entered[0] = VALUE(0);
#endif

publish:
#ifndef NO_PUBLISH_LINE
  atomic { append(PUBLISH); publishing = 1 }
  POINT;
#ifndef PUBLISH_UNFLUSHED
  flushJournal();
  FAILED;
  POINT;
#endif
#endif
  if :: sc != LEFT -> sc = LEFT; POINT :: else fi;
  if :: outc[1] != 2 -> outc[1] = 2; POINT :: else fi;
  outc[2] = 2;
  assert(SEEN_RIGHT);
  POINT;
#ifdef REMOVE_FIRST
  namec = 2;
  POINT;
#endif
#ifndef NAME_UNFLUSHED
  flushDirectory();
  POINT;
#endif
  /* Exit 0, whatever comes. */
  atomic { told = 1; assert(SEEN_RIGHT && SUMS_RIGHT); assert(!HONEST || KEPT_RIGHT) }
  POINT;
  namec = 2;
  POINT;
  goto end;

#ifdef CLEANS
clean:
  /* A run that fails before anything counts removes what it has made. */
  if :: opened || ANY_ENTERED -> goto start :: else fi;
#ifndef TEMPORARIES_FIRST
  removeJournal();
  POINT;
#ifndef REMOVAL_UNFLUSHED
  flushDirectory();
  POINT;
#endif
#endif
  atomic { forget(1); forget(2) }
  POINT;
#ifdef TEMPORARIES_FIRST
  removeJournal();
  POINT;
#endif
  atomic { opened = 0; settled = 0; round = 0; k = 0 }
  goto start;
#endif

crash:
  atomic {
    crashes++;
    if
    :: true /* a kill: what programs see stays */
#ifndef KILLS
    :: true -> loseO()
    :: true -> loseP()
    :: true -> loseO(); loseP()
#endif
    fi;
    /* A final name is absent, or has the whole; and nothing of a file under its own name is gone. */
    assert(!HONEST || sc != LEFT || zc == 1);
    assert(!HONEST || outc[1] != 2 || tc[1] == WANTED(1) && tc[2] == WANTED(2));
    assert(!HONEST || outc[2] != 2 || tc[3] == WANTED(3));
    assert(!HONEST || sc != OWN || zc == WHOLE && !hc);
    assert(!HONEST || !told || SEEN_RIGHT);
    k = 0; i = 0; v = 0; round = 0; settled = 0; opened = 0;
#ifdef FREE_FIRST
    isFreed = 0;
#endif
#ifdef WRITER
    if
    :: true
    :: !told && !written ->
      if
      :: written = 1
      :: zc > 1 -> written = 2; hc = 0; hd = 0
      :: zc > 2 -> written = 3
      :: zc > 3 -> written = 4
      fi;
      stamped = 1
    :: else
    fi
#endif
  }
  if
  :: told && namec != 1 -> goto end
  :: else -> goto start
  fi;

refused:
  assert(!HONEST || written);

end:
  skip
}
