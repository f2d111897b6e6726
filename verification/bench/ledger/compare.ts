import type { Figure } from '../figure.ts'
import { createRandom } from '../../prove/random.ts'
import type { HoldContender } from './contenders.ts'
import { median } from '../median.ts'

export interface LedgerCase {
  /** Such as `1,000 wallets, 16 writers`. */
  readonly name: string
  readonly writers: number
}

export interface LedgerLoad {
  readonly rounds: number
  readonly duration_ms: number
}

const warmup_ms = 500

/** Holds per second with several writers; each starts the next hold when the previous one is committed. */
async function measure({ wallets, hold }: HoldContender, writers: number, duration_ms: number): Promise<number> {
  const random = createRandom(writers)
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
export async function compareContenders({
  benchCase,
  ledgerContender,
  bareContender,
  load,
  min_ratio,
}: {
  readonly benchCase: LedgerCase
  readonly ledgerContender: HoldContender
  readonly bareContender: HoldContender
  readonly load: LedgerLoad
  readonly min_ratio: number
}): Promise<Figure> {
  for (const contender of [bareContender, ledgerContender]) await measure(contender, benchCase.writers, warmup_ms)
  const rounds: { own: number; plain: number }[] = []
  for (let round = 0; round < load.rounds; round++) {
    const order = round % 2 === 0 ? [ledgerContender, bareContender] : [bareContender, ledgerContender]
    const rates = new Map<HoldContender, number>()
    for (const contender of order) rates.set(contender, await measure(contender, benchCase.writers, load.duration_ms))
    rounds.push({ own: rates.get(ledgerContender)!, plain: rates.get(bareContender)! })
  }
  const ratio = median(rounds.map(({ own: ledgerRate, plain: bareRate }) => ledgerRate / bareRate))
  const [ledgerRate, bareRate] = [median(rounds.map((round) => round.own)), median(rounds.map((round) => round.plain))]
  console.log(
    `${benchCase.name}: ledger ${ledgerRate.toFixed(0)}/s, bare ${bareRate.toFixed(0)}/s, ratio ${ratio.toFixed(2)}`,
  )
  return { name: `ledger, ${benchCase.name}: holds / bare`, value: ratio, must: min_ratio }
}
