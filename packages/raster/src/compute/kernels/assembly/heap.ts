/** The first address that no constant of the module occupies. */
export function heapBase(): usize {
  return __heap_base
}
