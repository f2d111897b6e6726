// An operation file is a leaf and may walk anywhere.
import { watch } from '../alerts/watch.ts'
export const getOrder = watch
