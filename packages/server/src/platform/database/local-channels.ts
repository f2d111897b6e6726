/** Messages between the parts of one process that use the same open database. */
export interface LocalChannels {
  publish(channel: string, message: string): void
  subscribe(channel: string, listener: (message: string) => void): () => void
}

export function createLocalChannels(): LocalChannels {
  const listeners = new Map<string, Set<(message: string) => void>>()
  return {
    publish: (channel, message) => {
      for (const listener of listeners.get(channel) ?? []) listener(message)
    },
    subscribe: (channel, listener) => {
      const subscribed = listeners.get(channel) ?? new Set()
      listeners.set(channel, subscribed.add(listener))
      return () => void subscribed.delete(listener)
    },
  }
}
