import { problemTexts } from '../texts/problem.ts'
import { isProblem } from './problem.ts'

interface FieldError {
  readonly loc?: readonly unknown[]
  readonly msg?: unknown
}

/** The name of the input that an error is about, and its reason; an error of an entry of a list says of which one. */
function readError({ loc = [], msg }: FieldError, container: string | null): readonly [name: string, reason: string] {
  const path = loc.map(String)
  // The first member is the part of the request.
  const at = container === null ? 0 : path.indexOf(container)
  if (at === -1) return ['', String(msg)]
  const [name = '', entry = ''] = path.slice(at + 1)
  return [name, /^\d+$/.test(entry) ? problemTexts.entry(Number(entry) + 1, String(msg)) : String(msg)]
}

/**
 * Reads the platform's reasons to refuse inputs, by the name of the input; empty unless every error names one that is
 * shown.
 *
 * @param container the field of the operation that holds the inputs; null for those of the operation itself.
 */
export function readRefusedFields(
  error: unknown,
  container: string | null,
  names: ReadonlySet<string>,
): Readonly<Record<string, string>> {
  if (!isProblem(error, 'validation')) return {}
  const { detail } = error.document
  if (!Array.isArray(detail)) return {}
  const found = (detail as readonly FieldError[]).map((one) => readError(one, container))
  if (!found.every(([name]) => names.has(name))) return {}
  const reasons = Map.groupBy(found, ([name]) => name)
  return Object.fromEntries([...reasons].map(([name, errors]) => [name, errors.map(([, reason]) => reason).join(' ')]))
}
