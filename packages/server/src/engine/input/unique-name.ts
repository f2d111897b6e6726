/** Names that are taken, each with the number that its next repetition tries first. */
export type TakenNames = Map<string, number>

/** A name that is not taken yet: its own, else with the first number that is free, as GDAL names repeated columns. Takes it. */
export function takeUniqueName(name: string, taken: TakenNames): string {
  let unique = name
  // Without what was tried before, many repetitions of a name would take time by their square.
  for (let number = taken.get(name) ?? 2; taken.has(unique); number++) {
    unique = `${name}_${number}`
    taken.set(name, number + 1)
  }
  taken.set(unique, 2)
  return unique
}
