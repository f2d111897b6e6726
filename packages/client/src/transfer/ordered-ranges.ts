import type { FileRange } from './ranges.ts'

/** Reads a range and passes its pieces on as they arrive. Its failure is final. */
export type ReadRange = (range: FileRange, push: (piece: Uint8Array) => void) => Promise<void>

/**
 * Reads ranges several at once and yields their pieces in the order of the file. Of the ranges that are not first in line the
 * pieces are kept: at most `parallel` ranges are in memory, however slowly the pieces are taken.
 */
export async function* readInOrder(
  ranges: readonly FileRange[],
  parallel: number,
  read: ReadRange,
): AsyncGenerator<Uint8Array> {
  const waiting = ranges[Symbol.iterator]()
  const startNext = (): PieceQueue | null => {
    const { done, value } = waiting.next()
    return done ? null : startRange(value, read)
  }
  const running = Array.from({ length: parallel }, startNext).filter((queue) => queue !== null)
  for (let first = running.shift(); first !== undefined; first = running.shift()) {
    yield* first
    const next = startNext()
    if (next) running.push(next)
  }
}

type PieceQueue = AsyncGenerator<Uint8Array>

/** Begins at once, before anything is taken. */
function startRange(range: FileRange, read: ReadRange): PieceQueue {
  const pieces: Uint8Array[] = []
  let outcome: { readonly failure?: unknown } | null = null
  let wake = (): void => undefined
  const finish = (ended: { readonly failure?: unknown }): void => {
    outcome = ended
    wake()
  }
  const push = (piece: Uint8Array): void => {
    pieces.push(piece)
    wake()
  }
  read(range, push).then(
    () => finish({}),
    (failure: unknown) => finish({ failure }),
  )
  const isOpen = (): boolean => outcome === null
  return (async function* () {
    for (;;) {
      const piece = pieces.shift()
      if (piece) yield piece
      else if (isOpen()) await new Promise<void>((resolve) => (wake = resolve))
      else break
    }
    if (outcome && 'failure' in outcome) throw (outcome as { failure: unknown }).failure
  })()
}
