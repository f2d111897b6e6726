/** What the report of an upload says of a name that stands for two things. */
export const describeRepeatedName = (name: string, unique: string): string =>
  `The name "${name.slice(0, 100)}" occurs twice among the properties of the features; the second one is called "${unique.slice(0, 110)}".`
