/** The version of the command line; that of its package. */
export const version = '0.1.0'
