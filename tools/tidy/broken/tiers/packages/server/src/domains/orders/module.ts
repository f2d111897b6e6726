import { watch } from '../alerts/watch.ts'
export const module = watch
