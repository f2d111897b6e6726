/** The long form of all checks, `.ci/whole`, sets it. */
const isWholeRun = process.env['SWATH_TEST_WHOLE'] === '1'

/** True for every n-th case of an enumeration that is too long for the short form of the checks; for each in the long one. */
export const isTestedCase = (index: number, every: number): boolean => isWholeRun || index % every === 0
