import { watch } from '../alerts/watch.ts'
export const room = watch
