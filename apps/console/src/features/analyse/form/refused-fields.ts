import { isProblem } from '../../../api/problem.ts'

interface FieldError {
  readonly loc?: readonly unknown[]
  readonly msg?: unknown
}

/**
 * Reads the platform's reasons to refuse inputs, by the name of the input; empty unless every error names one that is
 * shown.
 *
 * @param container the field of the operation that holds the inputs.
 */
export function readRefusedFields(
  error: unknown,
  container: string,
  names: ReadonlySet<string>,
): Readonly<Record<string, string>> {
  if (!isProblem(error, 'validation')) return {}
  const { detail } = error.document
  if (!Array.isArray(detail)) return {}
  const found = (detail as readonly FieldError[]).map(({ loc = [], msg }) => {
    const path = loc.map(String)
    const at = path.indexOf(container)
    return [at === -1 ? '' : (path[at + 1] ?? ''), String(msg)] as const
  })
  return found.every(([name]) => names.has(name)) ? Object.fromEntries(found) : {}
}
