import { readFileSync } from 'node:fs'

/**
 * The rows of a table of tab-separated text, by the column names of its first line. The files belong to the package: their
 * tests check them, not this function.
 */
export function readTsvFile<Column extends string>(file: URL): Readonly<Record<Column, string>>[] {
  const [head, ...lines] = readFileSync(file, 'utf8').trimEnd().split('\n')
  const columns = head!.split('\t')
  return lines.map((line) => {
    const cells = line.split('\t')
    return Object.fromEntries(columns.map((column, at) => [column, cells[at] ?? ''])) as Record<Column, string>
  })
}

/** A function that computes its value at the first call, for tables that most processes never need. */
export function createOnce<Value>(compute: () => Value): () => Value {
  let known: { readonly value: Value } | null = null
  return () => (known ??= { value: compute() }).value
}
