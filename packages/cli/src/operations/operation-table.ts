import { readTableText } from './table-file.ts'

/** A member of the input of an operation, as a flag. */
export interface OperationField {
  readonly name: string
  /** How its text becomes a value: `json` for objects, geometries and lists of them. */
  readonly kind: 'string' | 'integer' | 'number' | 'boolean' | 'json'
  readonly list?: true
  readonly choices?: readonly string[]
  readonly required?: true
  /** Null is a value of its own, such as for removing what is there. */
  readonly nullable?: true
  readonly default?: unknown
  readonly description?: string
  /** Of objects that a member named `kind` tells apart: the members of each. */
  readonly variants?: Readonly<Record<string, readonly OperationField[]>>
}

/** What the command line knows of an operation; printed from the contract. */
export interface OperationEntry {
  readonly id: string
  readonly summary: string
  readonly effect: 'read' | 'compute' | 'spend' | 'export' | 'destructive'
  readonly response: 'json' | 'bytes' | 'ndjson' | 'event-stream'
  /** Accepts an idempotency key. */
  readonly idempotent?: true
  readonly paging?: 'offset' | 'page' | 'search' | 'token'
  /** Who may call it, if not everybody with its scope. */
  readonly callers?: string
  readonly fields: readonly OperationField[]
}

/** The table of operations; lines are parsed when they are asked for. */
export interface OperationTable {
  readonly ids: readonly string[]
  /** Null if there is no such operation. */
  find(id: string): OperationEntry | null
}

/** Reads the table; only the ids of all lines. */
export function readOperationTable(text: string = readTableText()): OperationTable {
  const lines = new Map(
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => [line.slice(0, line.indexOf('\t')), line] as const),
  )
  return {
    ids: [...lines.keys()],
    find: (id) => {
      const line = lines.get(id)
      if (line === undefined) return null
      return { id, ...(JSON.parse(line.slice(id.length + 1)) as Omit<OperationEntry, 'id'>) }
    },
  }
}

/** The words of the command of an operation: `orders.list_assets` is `orders list-assets`. */
export const toCommandWords = (id: string): string[] => id.replaceAll('_', '-').split('.')

/** The operation that the first of these words name, the longest of several; null for none. */
export function findOperationByWords(table: OperationTable, words: readonly string[]): OperationEntry | null {
  const names = words.map((word) => word.replaceAll('-', '_'))
  for (let count = names.length; count > 0; count -= 1) {
    const entry = table.find(names.slice(0, count).join('.'))
    if (entry) return entry
  }
  return null
}
