import { judgeFolder, runJudge } from '../../prove/analytics/run-judge.ts'

const script = new URL('peer-exactextract.py', import.meta.url)
/** Weighted means of both sides may differ by this much, relatively. */
const tolerance = 1e-6

type Means = readonly (number | null)[]

/** Weighted statistics of zones by exactextract, with its processor time. */
export async function runExactextract(request: object): Promise<{ readonly ms: number; readonly means: Means }> {
  const [answer] = (await runJudge(judgeFolder, script, request)) as [{ ms: number; means: Means }]
  return answer
}

/** Throws if a mean of ours is not that of exactextract. */
export function checkMeans(own: Means, other: Means): void {
  for (const [at, mean] of own.entries()) {
    const judged = other[at] ?? null
    const isSame = mean === null || judged === null ? mean === judged : Math.abs(mean / judged - 1) < tolerance
    if (!isSame) throw new Error(`zone ${at} has the mean ${mean}, of exactextract ${judged}`)
  }
}
