import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'

/** A call that went through the proxy. */
export interface ProxiedCall {
  readonly operation: string
  /** When the whole response had arrived (ms of `performance.now`), and whether it was an error; null if none arrived. */
  answer: { readonly at_ms: number; readonly isError: boolean } | null
}

export interface CountingProxy {
  readonly url: string
  /** Every call of an operation that was forwarded. */
  readonly calls: readonly ProxiedCall[]
  /** The server to forward to from now on. */
  setTarget(url: string): void
  close(): Promise<void>
}

const operationPath = /^\/v1\/op\/([\w.]+)$/

/**
 * Forwards HTTP requests and records those that call an operation: the basis on which a bill could be checked from
 * outside.
 */
export async function startCountingProxy(target: string): Promise<CountingProxy> {
  const calls: ProxiedCall[] = []
  let current = new URL(target)
  const forward = (incoming: IncomingMessage, response: ServerResponse): void => {
    const operation = operationPath.exec(incoming.url ?? '')?.[1]
    const call: ProxiedCall | null = operation === undefined ? null : { operation, answer: null }
    if (call) calls.push(call)
    const { hostname, port } = current
    const { method, url: path, headers } = incoming
    const outgoing = request({ hostname, port, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
      answer.on('end', () => {
        if (call) call.answer = { at_ms: performance.now(), isError: (answer.statusCode ?? 500) >= 400 }
      })
      answer.on('error', () => response.destroy())
    })
    outgoing.on('error', () => response.destroy())
    incoming.pipe(outgoing)
  }
  const server = createServer(forward)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    calls,
    setTarget: (url) => {
      current = new URL(url)
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
