import { startForwardingProxy, type ForwardingProxy } from '../harness/forwarding-proxy.ts'

/** A call that went through the proxy. */
export interface ProxiedCall {
  readonly operation: string
  /** When the whole response had arrived (ms of `performance.now`), and whether it was an error; null if none arrived. */
  answer: { readonly at_ms: number; readonly isError: boolean } | null
}

export interface CountingProxy extends ForwardingProxy {
  /** Every call of an operation that was forwarded. */
  readonly calls: readonly ProxiedCall[]
}

const operationPath = /^\/v1\/op\/([\w.]+)$/

/**
 * Forwards HTTP requests and records those that call an operation: the basis on which a bill could be checked from
 * outside.
 */
export async function startCountingProxy(target: string): Promise<CountingProxy> {
  const calls: ProxiedCall[] = []
  const proxy = await startForwardingProxy(({ url = '' }) => {
    const operation = operationPath.exec(url)?.[1]
    if (operation === undefined) return () => {}
    const call: ProxiedCall = { operation, answer: null }
    calls.push(call)
    return (status) => (call.answer = { at_ms: performance.now(), isError: status >= 400 })
  })
  proxy.setTarget(target)
  return { ...proxy, calls }
}
