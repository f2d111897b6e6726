import { ingest } from './ingest.task.ts'
export const module = { tasks: [ingest] }
