import type { Figure } from '../figure.ts'
import { randomFrom } from '../../prove/random.ts'
import type { Side } from './sides.ts'

export interface Row {
  /** Such as `1,000 wallets, 16 writers`. */
  readonly name: string
  readonly writers: number
}

export interface Load {
  readonly rounds: number
  readonly duration_ms: number
}

const warmup_ms = 500

/** Holds per second with several writers; each starts the next hold when the previous one is committed. */
async function measure({ wallets, hold }: Side, writers: number, duration_ms: number): Promise<number> {
  const random = randomFrom(writers)
  const start = performance.now()
  const end = start + duration_ms
  let written = 0
  const write = async (): Promise<void> => {
    while (performance.now() < end) {
      await hold(wallets[Math.floor(random() * wallets.length)]!)
      written++
    }
  }
  await Promise.all(Array.from({ length: writers }, write))
  return (written * 1000) / (performance.now() - start)
}

/** Alternates the contenders, each first equally often; the figure is the median of the ratios. */
export async function compareRow(row: Row, ours: Side, bare: Side, load: Load, must: number): Promise<Figure> {
  for (const side of [bare, ours]) await measure(side, row.writers, warmup_ms)
  const rounds: { own: number; plain: number }[] = []
  for (let round = 0; round < load.rounds; round++) {
    const order = round % 2 === 0 ? [ours, bare] : [bare, ours]
    const found = new Map<Side, number>()
    for (const side of order) found.set(side, await measure(side, row.writers, load.duration_ms))
    rounds.push({ own: found.get(ours)!, plain: found.get(bare)! })
  }
  const ratio = median(rounds.map(({ own, plain }) => own / plain))
  const [own, plain] = [median(rounds.map((round) => round.own)), median(rounds.map((round) => round.plain))]
  console.log(`${row.name}: ledger ${own.toFixed(0)}/s, bare ${plain.toFixed(0)}/s, ratio ${ratio.toFixed(2)}`)
  return { name: `ledger, ${row.name}: holds / bare`, value: ratio, must }
}

export const median = (numbers: readonly number[]): number =>
  numbers.toSorted((left, right) => left - right)[Math.floor(numbers.length / 2)]!
