/** The answer of somebody who may hang; throws with the sentence when it did not come in time. The work itself goes on. */
export async function answerWithin<T>(limit_ms: number, work: Promise<T>, sentence: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(sentence)), limit_ms)
  })
  return Promise.race([work, over]).finally(() => clearTimeout(timer))
}
