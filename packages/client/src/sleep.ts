/** Waits; rejects with the reason of the signal if that ends it. */
export const sleep = (duration_ms: number, signal?: AbortSignal | null): Promise<void> =>
  new Promise((resolve, reject) => {
    const finish = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', finish)
      if (signal?.aborted) reject(signal.reason)
      else resolve()
    }
    const timer = setTimeout(finish, duration_ms)
    signal?.addEventListener('abort', finish)
    if (signal?.aborted) finish()
  })
