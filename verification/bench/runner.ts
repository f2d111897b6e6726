import { cpus } from 'node:os'
import { parseArgs } from 'node:util'

/** One measured figure and its required bound. */
export interface Figure {
  readonly name: string
  /** NaN if it could not be measured; such a figure never passes. */
  readonly value: number
  readonly must: number
  /** True if lower is better and `must` is the upper bound. */
  readonly atMost?: boolean
  /** A target that is printed but not enforced. */
  readonly aim?: number
}

export function holds({ value, must, atMost = false }: Figure): boolean {
  return atMost ? value <= must : value >= must
}

/** `name 1.23 (must 1.00) holds` */
export function describeFigure(figure: Figure): string {
  const { name, value, must, atMost = false, aim } = figure
  const bounds = `must ${atMost ? 'not exceed ' : ''}${must}${aim === undefined ? '' : `, aim ${aim}`}`
  return `${name} ${formatValue(value)} (${bounds}) ${holds(figure) ? 'holds' : 'DOES NOT HOLD'}`
}

function formatValue(value: number): string {
  if (Number.isNaN(value)) return 'not measured'
  if (Number.isInteger(value)) return String(value)
  if (Math.abs(value) < 0.01) return value.toExponential(1)
  // Shares close to 1 differ in their last digits only.
  return value.toFixed(Math.abs(value - 1) < 0.005 ? 5 : 2)
}

/** The middle value; of an even number, the upper of the two; NaN without values. */
export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN

/** Milliseconds of one call. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/**
 * Measures each side in each round. The first side finds caches cold that are warm for the others, and a machine drifts, so each
 * side comes before each other one as often as after it. Returns the results of each side.
 */
export async function alternate<T>(
  rounds: number,
  ...sides: readonly ((round: number) => Promise<T> | T)[]
): Promise<T[][]> {
  const results = sides.map((): T[] => [])
  for (let round = 0; round < rounds; round++) {
    const first = Math.floor(round / 2) % sides.length
    const order = [...sides.keys()].map((at) => (first + at) % sides.length)
    for (const side of round % 2 === 0 ? order : order.toReversed()) results[side]!.push(await sides[side]!(round))
  }
  return results
}

/** The ratio of two sides in each round. */
export const ratiosOf = (numerators: readonly number[], denominators: readonly number[]): number[] =>
  numerators.map((value, round) => value / denominators[round]!)

export const describeMachine = (): string => `${cpus().length} × ${cpus()[0]?.model ?? 'processor'}`

type Option = number | string | boolean
type Widened<T extends Option> = T extends number ? number : T extends string ? string : boolean

/** Reads `--name value`, or `--no-name` for one that is true by default. Throws for an option without a default. */
export function readOptions<T extends Readonly<Record<string, Option>>>(
  args: readonly string[],
  defaults: T,
): { readonly values: { readonly [Name in keyof T]: Widened<T[Name]> }; readonly positionals: readonly string[] } {
  const options = Object.fromEntries(
    Object.entries(defaults).map(([name, value]) => [
      name,
      typeof value === 'boolean'
        ? ({ type: 'boolean', default: value } as const)
        : ({ type: 'string', default: String(value) } as const),
    ]),
  )
  const { values, positionals } = parseArgs({ args: [...args], options, allowNegative: true, allowPositionals: true })
  const entries = Object.entries(values).map(([name, value]) => [
    name,
    typeof defaults[name] === 'number' ? Number(value) : value,
  ])
  return { values: Object.fromEntries(entries), positionals }
}
