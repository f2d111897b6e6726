import { app } from './app.ts'
export const main = [app, new URL('./platform/worker.ts', import.meta.url)]
