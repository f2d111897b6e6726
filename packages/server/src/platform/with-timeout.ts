/** Rejects with `message` when `work` does not settle within `timeout_ms`. The work itself is not cancelled. */
export async function withTimeout<T>(timeout_ms: number, work: Promise<T>, message: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const timedOut = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(message)), timeout_ms)
  })
  return Promise.race([work, timedOut]).finally(() => clearTimeout(timer))
}
