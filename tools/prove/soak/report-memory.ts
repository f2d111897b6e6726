import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { threadId } from 'node:worker_threads'

// Loaded before the product, in every thread of it: what a thread has is known to the thread alone.

const folder = process.env['SWATH_SOAK_REPORTS']
const report_ms = 5000

if (folder) {
  setInterval(() => {
    const { rss: _, ...memory } = process.memoryUsage()
    writeFileSync(join(folder, String(threadId)), JSON.stringify(memory))
  }, report_ms).unref()
}
