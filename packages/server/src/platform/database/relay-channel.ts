import type { Database } from './database.ts'
import { listenToChannel } from './listen.ts'
import { getDatabaseDriver, getStatementRunner } from './raw.ts'

/** Messages within this time are sent to other processes together, each once. */
const batch_window_ms = 20

/** A channel that reaches all processes; a message may be lost, so receivers also poll. */
export interface RelayedChannel {
  /** Calls the listener for messages that transactions of any process publish; the returned function ends that. */
  subscribe(listener: (message: string) => void): () => void
  /** Aborted when the process stops. */
  readonly closing: AbortSignal
  close(): Promise<void>
}

interface RelayLog {
  warn(fields: object, message: string): void
}

/**
 * Relays what transactions publish on a channel (`Tx.publish`) to the other processes. NOTIFY is a statement of its own after
 * the commit: inside the transaction it would serialize all commits of the database.
 */
export async function relayDatabaseChannel(
  database: Database,
  channel: string,
  log: RelayLog,
): Promise<RelayedChannel> {
  const closing = new AbortController()
  const listeners = new Set<(message: string) => void>()
  const tellListeners = (message: string): void => listeners.forEach((listener) => listener(message))
  const pending = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let sending: Promise<unknown> = Promise.resolve()
  const send = (): void => {
    timer = undefined
    const messages = `{${[...pending].map((message) => `"${message}"`).join(',')}}`
    pending.clear()
    sending = getStatementRunner(database.unscoped)
      .run('select pg_notify($1, message) from unnest($2::text[]) as message', [channel, messages])
      .catch((error: unknown) => log.warn({ error, channel }, 'other processes could not be notified'))
  }
  const isShared = getDatabaseDriver(database).listen !== undefined
  const unsubscribe = database.subscribe(channel, (message) => {
    tellListeners(message)
    if (!isShared) return
    pending.add(message)
    timer ??= setTimeout(send, batch_window_ms)
  })
  const stopListening = await listenToChannel(database, channel, tellListeners, () => undefined).catch(
    (error: unknown) => log.warn({ error, channel }, 'cannot listen to other processes; polling instead'),
  )
  return {
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    closing: closing.signal,
    close: async () => {
      closing.abort()
      unsubscribe()
      if (timer) send()
      clearTimeout(timer)
      await sending
      await stopListening?.()
    },
  }
}
