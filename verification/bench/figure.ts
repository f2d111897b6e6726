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
