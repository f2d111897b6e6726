/** Rejects with `message` when `work` does not settle within `timeout_ms`. The work itself is not cancelled. */
export async function answerWithin<T>(limit_ms: number, work: Promise<T>, sentence: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(sentence)), limit_ms)
  })
  return Promise.race([work, over]).finally(() => clearTimeout(timer))
}
