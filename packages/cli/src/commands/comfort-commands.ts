import type { ComfortName } from './comfort-summaries.ts'
import type { RegisterCommand } from './register-command.ts'

/** The code of each command beside those of the operations; it is read when the command is called. */
export const comfortCommands: Readonly<Record<ComfortName, () => Promise<RegisterCommand>>> = {
  login: async () => (await import('./login.ts')).registerLogin,
  logout: async () => (await import('./logout.ts')).registerLogout,
  whoami: async () => (await import('./whoami.ts')).registerWhoami,
  switch: async () => (await import('./switch.ts')).registerSwitch,
  search: async () => (await import('./search.ts')).registerSearch,
  price: async () => (await import('./price.ts')).registerPrice,
  buy: async () => (await import('./buy.ts')).registerBuy,
  task: async () => (await import('./task.ts')).registerTask,
  plan: async () => (await import('./plan.ts')).registerPlan,
  apply: async () => (await import('./apply.ts')).registerApply,
  sandbox: async () => (await import('./sandbox.ts')).registerSandbox,
  wait: async () => (await import('./wait.ts')).registerWait,
  download: async () => (await import('./download.ts')).registerDownload,
  sync: async () => (await import('./sync.ts')).registerSync,
  upload: async () => (await import('./upload.ts')).registerUpload,
  process: async () => (await import('./process.ts')).registerProcess,
  tiles: async () => (await import('./tiles.ts')).registerTiles,
  share: async () => (await import('./share.ts')).registerShare,
  listen: async () => (await import('./listen.ts')).registerListen,
  trigger: async () => (await import('./trigger.ts')).registerTrigger,
  ledger: async () => (await import('./ledger.ts')).registerLedger,
  verify: async () => (await import('./verify.ts')).registerVerify,
  open: async () => (await import('./open.ts')).registerOpen,
  doctor: async () => (await import('./doctor.ts')).registerDoctor,
  completion: async () => (await import('./completion.ts')).registerCompletion,
  api: async () => (await import('./api.ts')).registerApi,
  ops: async () => (await import('./ops.ts')).registerOps,
}
