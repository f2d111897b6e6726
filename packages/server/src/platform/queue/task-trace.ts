/** The key of the trace context within the stored data of a task. */
const key = 'traceparent'

/** The data of a task with the trace context of what enqueued it. */
export const addTaskTraceContext = (data: object, traceparent: string | null): object =>
  traceparent === null ? data : { ...data, [key]: traceparent }

/** Separates the stored data of a task into its own and the trace context. */
export function splitTaskTrace(stored: object): { readonly data: object; readonly traceparent: string | null } {
  if (!(key in stored)) return { data: stored, traceparent: null }
  const { [key]: traceparent, ...data } = stored
  return { data, traceparent: typeof traceparent === 'string' ? traceparent : null }
}
