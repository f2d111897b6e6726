/** Works on all members, `count` at once. The first failure rejects; work that has begun goes on, and no other begins. */
export async function forEachParallel<Member>(
  members: readonly Member[],
  count: number,
  work: (member: Member) => Promise<void>,
): Promise<void> {
  const waiting = [...members]
  const runOne = async (): Promise<void> => {
    for (let member = waiting.shift(); member !== undefined; member = waiting.shift()) {
      try {
        await work(member)
      } catch (error) {
        waiting.length = 0
        throw error
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(count, members.length) }, runOne))
}
