/** True for a host name or IP address that only programs on the same machine can reach. */
export function isLoopback(host: string): boolean {
  const name = host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/^::ffff:/, '')
  return /^127(\.\d{1,3}){3}$/.test(name) || name === '::1' || /^(.*\.)?localhost\.?$/.test(name)
}
