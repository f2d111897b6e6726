import type { Module } from '../../engine/task.ts'
import { verifyDomainsTask } from './federation/verify-domains.task.ts'
import { sendInvitationTask } from './invitations/send-invitation.task.ts'
import { sealAuditTask } from './seal-audit.task.ts'

export const organizationsModule: Module = {
  tasks: [sealAuditTask, sendInvitationTask, verifyDomainsTask],
}
