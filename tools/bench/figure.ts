/** One required figure: what was measured and whether it holds. */
export interface Figure {
  readonly name: string
  readonly value: number
  readonly must: number
}
