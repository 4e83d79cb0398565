"""Where a line names an image of Docker."""

from __future__ import annotations

# FROM of a Dockerfile; keys of Compose, Kubernetes and workflows; Terraform; steps of a Jenkinsfile
IMAGE = (
    r"(?:^FROM[ \t]+(?:--\S+[ \t]+)?|^[ \t]*(?:-[ \t]+)?[\"']?(?:image|container)"
    r"[\"']?:[ \t]*[\"']?|^[ \t]*image[ \t]+=[ \t]+\""
    r"|\b(?:image|docker)[ \t]+[\"']|\bdocker\.image\([\"'])"
)
# the same, and what only an image with a tag says
TAGGED_IMAGE = (
    rf"(?:{IMAGE}|^[ \t]*(?:-[ \t]+)?[\"']?name[\"']?:[ \t]*[\"']?"
    r"|\bdocker[ \t]+(?:run|pull|create)\b[^;&|\n]{0,400}?[ \t])"
)
