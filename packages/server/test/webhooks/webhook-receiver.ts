import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { TestCertificate } from './test-certificates.ts'

/** A request that a receiver got, with the exact bytes of its body. */
export interface ReceivedRequest {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** The response of a path; `count` is the number of requests to the path so far. */
export type Respond = (response: ServerResponse, request: IncomingMessage, count: number) => void

export interface WebhookReceiver {
  readonly origin: string
  readonly received: ReceivedRequest[]
  /** The requests to a path. */
  to(path: string): ReceivedRequest[]
  respond(path: string, respond: Respond): void
  close(): Promise<void>
}

/**
 * A local server that records webhooks; paths respond with 200 unless the test sets something else. With a certificate it
 * speaks https and its origin is `https://localhost:<port>`.
 */
export async function startWebhookReceiver(certificate?: TestCertificate): Promise<WebhookReceiver> {
  const received: ReceivedRequest[] = []
  const responses = new Map<string, Respond>()
  const sockets = new Set<Socket>()
  const record = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const path = request.url ?? ''
    received.push({ path, headers: request.headers, body: Buffer.concat(chunks).toString('utf8') })
    const count = received.filter((one) => one.path === path).length
    const respond = responses.get(path) ?? ((ok: ServerResponse) => void ok.writeHead(200).end())
    respond(response, request, count)
  }
  const server = certificate
    ? createHttpsServer({ ...certificate }, (request, response) => void record(request, response))
    : createServer((request, response) => void record(request, response))
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `${certificate ? 'https://localhost' : 'http://127.0.0.1'}:${(server.address() as AddressInfo).port}`,
    received,
    to: (path) => received.filter((request) => request.path === path),
    respond: (path, respond) => void responses.set(path, respond),
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

/** Responds with a status. */
export const status =
  (code: number, headers: Readonly<Record<string, string>> = {}): Respond =>
  (response) =>
    void response.writeHead(code, headers).end(`status ${code}`)
