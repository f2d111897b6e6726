import { house } from './house.ts'
export const main = [house, new URL('./platform/worker.ts', import.meta.url)]
