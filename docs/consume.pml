/* How `merge --consume` frees its sources, as a model for spin; see consume.md.
 *
 * Two devices: O has the output's directory, the temporary and the journal; P has the sources.
 * Each thing has what programs see (a cache, named ...c) and what is on the device (named ...d).
 * A power loss chooses, for each change that was not flushed, whether the device has it.
 * To choose then is the same as to write back at any moment before: nobody looks at the device
 * in between.
 *
 * Source 0 has blocks 0, 1 and 2; source 1 has block 3. A round is one block.
 */

#define BLOCKS 4
#define CELLS 20
/* A line: what is entered of source 0 no longer counts; names the file put in its place. */
#define BACK 3

#include "consume-journal.pml"

/* Where a source is. Each step leads to a higher one. */
#define OWN 0      /* under its own name */
#define REST 1     /* under .cleave-rest */
#define PUT 2      /* .cleave-rest, and a good file put under its own name */
#define PUT_OWN 3  /* the good file under its own name, .cleave-rest gone */
#define PUT_REST 4 /* the good file under .cleave-rest */
#define GONE 5

/* Device O. */
byte tc[BLOCKS], td[BLOCKS]; /* the temporary's blocks */
byte ty;                     /* those that a flush would write, as bits */
byte outc, outd;             /* 0 no file, 1 the temporary's name, 2 the final name */

/* Device P. */
byte sc[2], sd[2]; /* where each source is */
byte hc, hd;       /* holes in the sources, as bits */
byte pc, pd;       /* holes in the file put in the place of source 0 */

/* Outside. */
bit accepts; /* the user takes a bad part as it is */
bit told;    /* exit 0 was seen */

/* What the run knows; read anew by each. */
byte k, s;
bit back;
bit hasPut; /* a good file was put in the place of source 0 */
#ifdef FREE_FIRST
bit isFreed;
#endif

#define SOURCE(b) ((b) / 3)
#define OF(s) (s == 0 -> 7 : 8)
#define IS_PUT(s) (s == 0 && sc[0] >= PUT && sc[0] != GONE)
#define IS_OWN(s) (sc[s] == OWN || sc[s] == PUT_OWN)
#define HOLES(s) ((IS_PUT(s) -> pc : hc) & OF(s))
#define ENTERED ((entered[0] != 0) | (entered[1] != 0) << 1 | (entered[2] != 0) << 2 | \
                 (entered[3] != 0) << 3)
#ifdef BAD_PART
#define BYTES(b) ((b) < 3 && !IS_PUT(0) -> WRONG : RIGHT)
#define WANTED(b) ((b) < 3 && accepts -> WRONG : RIGHT)
#define IS_BAD (entered[0] == WRONG || entered[1] == WRONG || entered[2] == WRONG)
#else
#define BYTES(b) RIGHT
#define WANTED(b) RIGHT
#define IS_BAD false
#endif
#define ALL_RIGHT(a) (a[0] == WANTED(0) && a[1] == WANTED(1) && a[2] == WANTED(2) && \
                      a[3] == WANTED(3))

inline flushTemporary() {
  atomic {
    if
    :: FLUSHES -> for (i : 0 .. 3) { if :: ty & MASK(i) -> td[i] = tc[i] :: else fi }
    :: !FLUSHES
    MAY_FAIL
    fi;
    ty = 0; i = 0
  }
}

inline flushDirectory() {
  atomic {
    outd = outc;
    flushJournalName()
  }
}

/* A device that loses its power has some of what was not flushed. */
inline loseO() {
  if
  :: true -> outc = outd
  :: outc > outd -> outd = outc
  :: outc == 2 && outd == 0 -> outc = 1; outd = 1
  fi;
  for (i : 0 .. 3) {
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
    if :: outc == 0 -> tc[i] = NONE; td[i] = NONE :: else fi
  }
  loseJournal();
  ty = 0; i = 0
}

inline loseP() {
  for (s : 0 .. 1) {
    v = sc[s];
    do
    :: v > sd[s] -> v--
    :: true -> break
    od;
    /* A source that nothing took the place of was never between these two. */
    if :: v > REST && v < GONE && !(s == 0 && hasPut) -> v = REST :: else fi;
    sc[s] = v; sd[s] = v
  }
  for (i : 0 .. 3) {
    if
    :: (hc & MASK(i)) && !(hd & MASK(i)) ->
      if
#ifdef UNORDERED
      :: true -> hd = hd | MASK(i)
#else
      /* Holes were made after the name was changed. */
      :: sc[SOURCE(i)] != OWN -> hd = hd | MASK(i)
#endif
      :: true -> hc = hc & ~MASK(i)
      fi
    :: else
    fi;
    if
    :: (pc & MASK(i)) && !(pd & MASK(i)) ->
      if
      :: sc[0] >= PUT_REST -> pd = pd | MASK(i)
      :: true -> pc = pc & ~MASK(i)
      fi
    :: else
    fi
  }
  /* Holes of a file that is not there do not matter. */
  if :: sc[0] >= PUT_OWN -> hc = hc & 8; hd = hd & 8 :: else fi;
  if :: sc[0] == GONE || sc[0] < PUT_OWN -> pc = 0; pd = 0 :: else fi;
  if :: sc[1] == GONE -> hc = hc & 7; hd = hd & 7 :: else fi;
  if :: sc[0] < PUT -> hasPut = 0 :: else fi;
  s = 0; i = 0; v = 0
}

/* What is still needed of a source must be there, and not be a hole. */
inline examine() {
  atomic {
    v = 0;
    for (s : 0 .. 1) {
#ifndef NO_HOLE_CHECK
      if
      :: sc[s] != GONE && (HOLES(s) & ~ENTERED & OF(s)) -> v = 1
      :: else
      fi;
#endif
      if
      :: sc[s] == GONE && (OF(s) & ~ENTERED) -> v = 1
      :: else
      fi;
#ifdef OLD_IDENTITY
      /* The journal knows the file that was there first. */
      if
      :: s == 0 && back && (ENTERED & 7) && sc[0] == PUT_REST && (7 & ~ENTERED) -> v = 1
      :: else
      fi;
#endif
#ifndef ANY_MTIME
      /* A source that was punched has another mtime, and must not have its own name. */
      if
      :: IS_OWN(s) && HOLES(s) -> v = 1
      :: else
      fi;
#endif
    }
    s = 0
  }
}

active proctype job() {
start:
  readJournal();
  if :: v -> v = 0; REFUSE :: else fi;
  if :: ENTERED == 0 && !back && !publishing -> goto begin :: else fi;

  /* Going on. */
#if GOON == 2
  atomic { rewrite() }
#endif
#if GOON > 0
  flushJournal();
  FAILED;
  POINT;
#endif
#ifndef NO_COMPARE
  atomic {
    v = 0;
    for (i : 0 .. 3) { if :: entered[i] != 0 && entered[i] != tc[i] -> v = 1 :: else fi }
    i = 0
  }
  if :: v -> v = 0; REFUSE :: else fi;
#endif
  if :: outc == 0 || (outc == 2 && !publishing) -> REFUSE :: else fi;
#ifdef BAD_PART
  if
  :: IS_BAD && (ENTERED & 7) == 7 && !accepts ->
    if
    :: !IS_PUT(0) -> goto user
    :: else ->
      /* What was put in its place was read, and is right. */
#ifndef PUT_UNFLUSHED
      sd[0] = sc[0];
      POINT;
#endif
      atomic { append(BACK) }
      POINT;
#ifndef BACK_UNFLUSHED
      flushJournal();
      FAILED;
      POINT;
#endif
      atomic {
        for (i : 0 .. 3) { entered[i] = 0 }
        i = 0; back = 1
      }
    fi
  :: else
  fi;
  if :: back && sc[0] < PUT -> REFUSE :: else fi;
  if :: back && sc[0] == PUT -> sc[0] = PUT_OWN; POINT :: else fi;
#endif
  examine();
  if :: v -> v = 0; REFUSE :: else fi;
  goto free;

begin:
  if
  :: outc == 2 || sc[0] != OWN || sc[1] != OWN || hc != 0 -> REFUSE
  :: else
  fi;
  atomic {
    /* What an earlier run has left came to nothing. */
    outc = 0; outd = 0; ty = 0; jy = 0; lines = 0;
    for (i : 0 .. 3) { tc[i] = NONE; td[i] = NONE }
    if :: namec == 0 -> namec = 1 :: else fi;
    append(HEADER)
  }
  POINT;
#ifndef HEADER_UNFLUSHED
  flushJournal();
  FAILED;
  POINT;
#endif
  outc = 1;
  POINT;
  goto next;

free:
  s = 0;
  do
  :: s < 2 ->
    if
    :: sc[s] != GONE && (OF(s) & ~ENTERED) == 0 ->
#ifdef BAD_PART
      if :: s == 0 && IS_BAD && !accepts -> s = 0; goto user :: else fi;
#endif
      if :: IS_OWN(s) -> sc[s] = sc[s] + 1; POINT :: else fi;
      sc[s] = GONE;
      POINT
    :: sc[s] != GONE && (OF(s) & ENTERED) && (OF(s) & ~ENTERED) ->
      if :: IS_OWN(s) -> sc[s] = sc[s] + 1; POINT :: else fi;
#ifdef FLUSH_REST
      if :: sd[s] != sc[s] -> sd[s] = sc[s]; POINT :: else fi;
#endif
      if
      :: HOLES(s) != (OF(s) & ENTERED) ->
        if :: IS_PUT(s) -> pc = pc | (7 & ENTERED) :: else -> hc = hc | (OF(s) & ENTERED) fi;
        POINT
      :: else
      fi
    :: else
    fi;
    s++
  :: else -> s = 0; break
  od;
#ifdef FREE_FIRST
  if :: isFreed -> goto enter :: else fi;
#endif

next:
  k = 0;
  do
  :: k < BLOCKS && entered[k] != 0 -> k++
  :: else -> break
  od;
  if :: k == BLOCKS -> k = 0; goto publish :: else fi;
  atomic {
    if :: HOLES(SOURCE(k)) & MASK(k) -> tc[k] = ZERO :: else -> tc[k] = BYTES(k) fi;
    ty = ty | MASK(k)
  }
  POINT;
#ifndef TEMPORARY_UNFLUSHED
  flushTemporary();
  FAILED;
  POINT;
#endif
#ifndef COMPACT_LATE
  compact();
#endif
#ifndef DIRECTORY_UNFLUSHED
#ifdef DIRECTORY_ONCE
  if :: ENTERED == 0 -> flushDirectory() :: else fi;
#else
  flushDirectory();
#endif
  POINT;
#endif
#ifdef COMPACT_LATE
  compact();
#endif
#ifdef FREE_FIRST
  entered[k] = tc[k]; isFreed = 1;
  goto free;
enter:
  isFreed = 0;
#endif
  atomic { append(DONE(k, tc[k])); append(ROUND) }
  POINT;
#ifndef ROUND_UNFLUSHED
  flushJournal();
  FAILED;
  POINT;
#endif
  atomic { entered[k] = tc[k]; k = 0 }
  goto free;

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
  atomic { outc = 2; assert(ALL_RIGHT(tc)) }
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
  atomic { told = 1; assert(!HONEST || outd == 2 && ALL_RIGHT(td)) }
  POINT;
  namec = 2;
  POINT;
  goto end;

#ifdef BAD_PART
user:
  atomic {
    if
    :: true -> accepts = 1
    :: sc[0] == REST -> sc[0] = PUT; hasPut = 1
    :: sc[0] == OWN -> sc[0] = PUT_OWN; sd[0] = PUT_OWN; hasPut = 1
    fi
  }
  POINT;
  goto start;
#endif

crash:
  atomic {
    crashes++;
    if
    :: true /* a kill: what programs see stays */
    :: true -> loseO()
    :: true -> loseP()
    :: true -> loseO(); loseP()
    fi;
    /* The final name is absent, or has the whole. */
    assert(!HONEST || outc != 2 || ALL_RIGHT(tc));
    assert(!HONEST || !told || outc == 2);
    k = 0; s = 0; i = 0; v = 0;
#ifdef FREE_FIRST
    isFreed = 0
#endif
  }
  if
  :: told && namec != 1 -> goto end
  :: else -> goto start
  fi;

refused:
  assert(!HONEST);

end:
  skip
}
