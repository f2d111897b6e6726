// An operation file is a leaf and may import from any tier.
import { watch } from '../alerts/watch.ts'
export const getOrder = watch
