import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { threadId } from 'node:worker_threads'

// Preloaded in every thread of the product: a thread's heap can only be read in the thread.

const folder = process.env['SWATH_SOAK_REPORTS']
const report_ms = 5000

if (folder) {
  setInterval(() => {
    const { rss: _, ...memory } = process.memoryUsage()
    writeFileSync(join(folder, String(threadId)), JSON.stringify(memory))
  }, report_ms).unref()
}
