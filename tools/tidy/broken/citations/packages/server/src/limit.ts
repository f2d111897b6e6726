/** A limit of the
 * specification; `hidden.md` has more. */
export const page = 'any.md'
