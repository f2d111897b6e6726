import { Client, escapeIdentifier, type ClientConfig } from 'pg'

const min_retry_delay_ms = 500
const max_retry_delay_ms = 30_000

interface Subscription {
  readonly channel: string
  readonly onNotification: (payload: string) => void
  /** Called after every connection, since notifications in between are lost. */
  readonly onConnect: () => void
}

/** A connection with the subscriptions that it listens for. */
interface OpenConnection {
  readonly client: Client
  readonly attached: Set<Subscription>
}

/** Listens to a channel; the returned function stops that. Throws if there is no connection and the first one fails. */
export type ListenToNotifications = (
  channel: string,
  onNotification: (payload: string) => void,
  onConnect: () => void,
) => Promise<() => Promise<void>>

/**
 * Notifications of any number of channels on one connection, so that a process needs one beside its pool. It is opened for the first
 * channel, reopened whenever it breaks, and closed with the last channel.
 */
export function createNotificationListener(connection: ClientConfig): ListenToNotifications {
  const subscriptions = new Set<Subscription>()
  let opening: Promise<OpenConnection> | null = null
  let retryTimer: NodeJS.Timeout | undefined
  let retryDelay_ms = min_retry_delay_ms

  const open = (): Promise<OpenConnection> => {
    clearTimeout(retryTimer)
    if (opening !== null) return opening
    const attempt = connect(connection, subscriptions, () => handleLostConnection(attempt))
    opening = attempt
    void attempt.then(
      () => (retryDelay_ms = min_retry_delay_ms),
      () => undefined,
    )
    return attempt
  }

  /** Does nothing for an older connection than the present one. */
  function handleLostConnection(lost: Promise<OpenConnection>): void {
    void lost.then(
      ({ client }) => discard(client),
      () => undefined,
    )
    if (opening !== lost) return
    opening = null
    if (subscriptions.size === 0) return
    clearTimeout(retryTimer)
    retryTimer = setTimeout(() => void open().catch(() => undefined), retryDelay_ms)
    retryDelay_ms = Math.min(2 * retryDelay_ms, max_retry_delay_ms)
  }

  async function stop(subscription: Subscription): Promise<void> {
    if (!subscriptions.delete(subscription)) return
    const current = await opening?.catch(() => undefined)
    if (subscriptions.size === 0) {
      clearTimeout(retryTimer)
      opening = null
      if (current) await close(current.client)
    } else if (![...subscriptions].some(({ channel }) => channel === subscription.channel)) {
      await current?.client.query(`unlisten ${escapeIdentifier(subscription.channel)}`).catch(() => undefined)
    }
  }

  return async (channel, onNotification, onConnect) => {
    const subscription = { channel, onNotification, onConnect }
    subscriptions.add(subscription)
    try {
      const current = await open()
      if (!current.attached.has(subscription)) await attach(current, subscription)
    } catch (error) {
      await stop(subscription)
      throw error
    }
    return () => stop(subscription)
  }
}

/** Opens a connection and attaches all subscriptions; calls `onLost` when it breaks, or cannot be opened. */
async function connect(
  connection: ClientConfig,
  subscriptions: ReadonlySet<Subscription>,
  onLost: () => void,
): Promise<OpenConnection> {
  const client = new Client(connection)
  const opened: OpenConnection = { client, attached: new Set() }
  client.on('error', onLost)
  client.on('end', onLost)
  client.on('notification', ({ channel, payload }) => {
    for (const subscription of subscriptions)
      if (subscription.channel === channel) subscription.onNotification(payload ?? '')
  })
  try {
    await client.connect()
    for (const subscription of subscriptions) await attach(opened, subscription)
  } catch (error) {
    discard(client)
    onLost()
    throw error
  }
  return opened
}

async function attach({ client, attached }: OpenConnection, subscription: Subscription): Promise<void> {
  await client.query(`listen ${escapeIdentifier(subscription.channel)}`)
  attached.add(subscription)
  subscription.onConnect()
}

/** Ends a connection that may be broken. */
function discard(client: Client): void {
  void close(client)
}

async function close(client: Client): Promise<void> {
  client.removeAllListeners()
  client.on('error', () => undefined)
  await client.end().catch(() => undefined)
}
