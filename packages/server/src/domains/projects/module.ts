import type { Module } from '../../engine/task.ts'
import { addProjectMember } from './operations/projects.add_member.ts'
import { archiveProject } from './operations/projects.archive.ts'
import { createProject } from './operations/projects.create.ts'
import { deleteProject } from './operations/projects.delete.ts'
import { getProject } from './operations/projects.get.ts'
import { listVisibleProjects } from './operations/projects.list.ts'
import { listMembersOfProject } from './operations/projects.members.list.ts'
import { removeProjectMember } from './operations/projects.remove_member.ts'
import { changeProjectMember } from './operations/projects.update_member.ts'
import { updateProjectById } from './operations/projects.update.ts'

export const projects: Module = {
  name: 'projects',
  handlers: [
    createProject,
    updateProjectById,
    archiveProject,
    deleteProject,
    addProjectMember,
    changeProjectMember,
    removeProjectMember,
    getProject,
    listVisibleProjects,
    listMembersOfProject,
  ],
  tasks: [],
}
