import type { Server } from 'node:http'
import { Socket } from 'node:net'

/**
 * Writes the responses of one turn of the event loop together, at its end. A write to a sleeping peer wakes it, which costs
 * the system more than the rest of a small call; in a row, only the first write does. A single response still leaves in
 * its own turn.
 */
export function batchSocketWrites(server: Server): void {
  let corkedSockets: Socket[] = []
  const flush = (): void => {
    const sockets = corkedSockets
    corkedSockets = []
    for (const socket of sockets) Socket.prototype.uncork.call(socket)
  }
  // Node's responses cork their socket while they write and uncork it at their end: the uncork is deferred.
  const deferUncork = function (this: Socket): void {
    if (corkedSockets.push(this) === 1) setImmediate(flush)
  }
  server.on('connection', (socket: Socket) => {
    socket.uncork = deferUncork
  })
}
