/**
 * The values at some places of the ascending order, counted from 1, without putting all in order (Hoare's selection). The
 * values change their places.
 *
 * @param targets in ascending order, each between 1 and the number of values.
 */
export function selectRanks(values: Float64Array, targets: readonly number[]): number[] {
  let low = 0
  return targets.map((target) => {
    const rank = target - 1
    select(values, low, values.length - 1, rank)
    low = rank
    return values[rank]!
  })
}

/** Puts the value of a rank into its place, smaller ones before it and greater ones behind. */
function select(values: Float64Array, from: number, to: number, rank: number): void {
  let [left, right] = [from, to]
  while (left < right) {
    const pivot = middleOf(values[left]!, values[(left + right) >> 1]!, values[right]!)
    let [i, j] = [left, right]
    while (i <= j) {
      while (values[i]! < pivot) i++
      while (values[j]! > pivot) j--
      if (i > j) break
      const swapped = values[i]!
      values[i++] = values[j]!
      values[j--] = swapped
    }
    if (rank <= j) right = j
    else if (rank >= i) left = i
    else return
  }
}

function middleOf(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c))
}
