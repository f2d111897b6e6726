import { operationRegistry } from '../../packages/contract/src/registry.ts'

/** One aligned line per operation, so that contract changes can be reviewed. */
export function printOperationsTable(): string {
  const head = ['operation', 'scope', 'effect', 'status', 'paging', 'answer', 'key', 'ours', 'emits']
  const rows = operationRegistry.map((operation) => [
    operation.id,
    operation.scope ?? 'any token',
    operation.effect,
    String(operation.status),
    operation.paging ?? '-',
    operation.response_kind,
    operation.idempotent ? 'key' : '-',
    operation.extension ? 'ours' : '-',
    operation.emits.join(' ') || '-',
  ])
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)))
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()
  return `${[head, ...rows].map(line).join('\n')}\n`
}
